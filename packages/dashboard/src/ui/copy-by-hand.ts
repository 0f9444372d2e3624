import { signal } from '@preact/signals';

/** A text that a dialog shows, selected, because the page may not write to the clipboard. */
export const textToCopy = signal<string | undefined>(undefined);
