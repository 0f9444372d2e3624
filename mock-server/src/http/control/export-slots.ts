/**
 * The maximum number of exports at the same time. The number is small, because each export keeps a database connection
 * open and delays the cleanup of the database.
 */
export const EXPORTS_MAX = 2;

/** Counts the exports that this server is running. */
export interface ExportSlots {
  /** Takes a slot. Returns false if no slot is free. */
  take(): boolean;
  giveBack(): void;
}

export function createExportSlots(): ExportSlots {
  let taken = 0;
  return {
    take() {
      if (taken >= EXPORTS_MAX) return false;
      taken += 1;
      return true;
    },
    giveBack() {
      taken -= 1;
    },
  };
}
