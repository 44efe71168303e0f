"""What Meetdeck uses of google-re2, which ships no types."""

class error(Exception): ...

class Options:
    log_errors: bool

class _Regexp:
    def fullmatch(self, text: str) -> object | None: ...

def compile(pattern: str, options: Options | None = None) -> _Regexp: ...
