#!/usr/bin/env node
// Committed, because npm links only commands that exist when it installs, and the build comes later.
import '../dist/main.js';
