/* The helper as a plug-in in C99 calls it. */
#include <opconform/plugin.h>

int overlaps_in_c(const opconform_tensor* tensor);
int overlaps_in_c(const opconform_tensor* tensor) { return opconform_overlaps(tensor); }
