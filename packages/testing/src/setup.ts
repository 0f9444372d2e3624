// Vitest runs this file before each test file. Each worker runs the imported file only once.
import './patient-waits.ts';
