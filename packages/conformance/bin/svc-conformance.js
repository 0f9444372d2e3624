#!/usr/bin/env node
// This file is committed, because npm links only commands that exist when npm installs the package, before the build.
import '../dist/main.js';
