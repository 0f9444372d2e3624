// Vitest runs this file before each test file. The import runs once in each worker.
import './patient-waits.ts';
