import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from './master-key.ts';

export interface Cursor {
  direction: 'next' | 'previous';
  key: string;
  inclusive: boolean;
}

export interface PageBinding {
  list: string;
  workspaceId: string;
  filters: Readonly<Record<string, string>>;
}

const MAC_BYTES = 16;
const CURSOR = /^([np])([=.])(.+)$/s;

/** A token contains a MAC over its cursor and its binding. */
export function createPageTokens(masterKey: MasterKey) {
  const key = masterKey.derive('page-tokens', '', 32);

  const macOf = (binding: PageBinding, cursor: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([binding.list, binding.workspaceId, Object.entries(binding.filters).sort(), cursor]))
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    write(binding: PageBinding, { direction, inclusive, key: rowKey }: Cursor): string {
      const cursor = `${direction === 'next' ? 'n' : 'p'}${inclusive ? '=' : '.'}${rowKey}`;
      return Buffer.concat([macOf(binding, cursor), Buffer.from(cursor)]).toString('base64url');
    },
    /** Returns the cursor, or `undefined` if `write` did not create the token for this binding. */
    read(binding: PageBinding, token: string): Cursor | undefined {
      const bytes = Buffer.from(token, 'base64url');
      // Several base64url strings can decode to the same bytes. Accept only the string that `write` returns.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
      const cursor = bytes.subarray(MAC_BYTES).toString();
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(binding, cursor))) return undefined;
      const [, direction, inclusive, rowKey] = CURSOR.exec(cursor) ?? [];
      if (rowKey === undefined) return undefined;
      return { direction: direction === 'n' ? 'next' : 'previous', key: rowKey, inclusive: inclusive === '=' };
    },
  };
}
