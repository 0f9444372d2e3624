@rem Lets the scripts of package.json use the `exec` of sh on Windows. There, a shell gets no signal that it must pass on.
@%*
