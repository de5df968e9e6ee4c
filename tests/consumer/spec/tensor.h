// A header of the consumer's own, with a name that the library uses too.
#error "the library's headers take a header of the consumer for their own"
