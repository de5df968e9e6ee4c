"""What the recorded exchange asks for, by the helper: it must say the same as v1.py."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "adapters" / "python"))
import opconform_process as opconform  # noqa: E402


def check(case):
    axis = case.desc["Axis"]
    total = sum(one.sizes[axis] for one in case.tensors("OutputTensors"))
    opconform.refuse_if(total != case.tensor("InputTensor").sizes[axis], "the sizes do not add up")


def run(case):
    data, first = case.tensor("InputTensor"), 0
    for output in case.tensors("OutputTensors"):
        rows, columns = output.sizes
        for row in range(rows):
            at = row * data.sizes[1] + first
            output.elements[row * columns:(row + 1) * columns] = data.elements[at:at + columns]
        first += columns


opconform.serve("split-by-helper", "1.0", {"DML_SPLIT": (check, run)})
