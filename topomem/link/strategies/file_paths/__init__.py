"""Modules that are named by file paths, as in programs for the browser and for Node.

`json_text` reads configuration, `specifiers` finds the file that an import names.
"""
