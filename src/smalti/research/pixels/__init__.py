"""Tables as pixels, for environments that render: glass cut and drawn with Pillow, so that no browser is needed."""
