#!/usr/bin/env node
// This file is committed, because npm links only commands that exist during installation, and the build runs later.
import '../dist/cli.js';
