"""The hash of what is certified: opconform certify takes in no figures of other sources."""
import subprocess


def source_hash(root):
    return subprocess.run(
        ["cmake", "-P", str(root / "cmake/SourceHash.cmake")], capture_output=True, text=True, check=True
    ).stdout.strip()
