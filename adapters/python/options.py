"""What stands behind the commas of --backend: NAME=VALUE arguments of the command line."""
import sys


def choices(offered):
    """The value of each option. `offered`: name -> its values, the first of which is the default, or, where any value
    will do, the default alone."""
    chosen = {name: values if isinstance(values, str) else values[0] for name, values in offered.items()}
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name not in offered:
            sys.exit(f"there is no option {name}; there are {', '.join(offered)}")
        if not isinstance(offered[name], str) and value not in offered[name]:
            sys.exit(f"{name} can be {', '.join(offered[name])}, but is {value}")
        chosen[name] = value
    return chosen
