"""Values and Structs: read with every fault named, written, copied, patched."""
