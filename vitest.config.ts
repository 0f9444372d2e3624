// Vitest looks for its configuration in a file with this name. In this repository's layout, the projects are in
// vitest.workspace.ts.
export { default } from './vitest.workspace.ts';
