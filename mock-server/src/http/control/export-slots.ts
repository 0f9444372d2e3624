/** The number is small, because each export keeps a connection open and delays the cleanup of the database. */
export const EXPORTS_MAX = 2;

/** Counts the exports that this server runs. */
export interface ExportSlots {
  /** Returns false if all slots are taken. */
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
