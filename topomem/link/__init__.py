"""The link stage: facts of all files of a snapshot -> typed edges between their symbols.

- `topomem.link.files`: what the linker is given (`FileFacts`, `ConfigFile`, `FileChange`), and in
  `topomem.link.config` which files that are no code it wants (`CONFIG_FILES`).
- `topomem.link.linker`: `empty_state`, `advance`, `link_all`, `restore`.
- `topomem.link.strategies`: what differs between languages, and how to add a way of naming.

Inside: `tree` and `scopes` are tables of one region; `world` answers questions about the snapshot
and writes them down; `evaluate` follows values; `edges` makes the edges; `questions` compares
answers of two snapshots.
"""
