// Vitest runs this file before each test file. A worker evaluates the imported file only once.
import './patient-waits.ts';
