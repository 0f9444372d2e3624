import type { Queries } from '../port.ts';
import { TRANSFER_SETTINGS } from './tables.ts';

/** Deletes the settings that an export has, such as the clock. */
export async function deleteTransferSettings(queries: Queries): Promise<void> {
  await queries
    .deleteFrom('settings')
    .where('name', 'in', [...TRANSFER_SETTINGS])
    .execute();
}
