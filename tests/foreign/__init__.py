"""Every format that is written, loaded by a free reader of it (docs/formats.md): what is loaded means the same."""
