// Vitest runs this file before each test file, and what it imports once in each worker.
import './patient-waits.ts';
