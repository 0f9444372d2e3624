// Vitest looks for its configuration under this name; the projects are in the file that the repository's layout names.
export { default } from './vitest.workspace.ts';
