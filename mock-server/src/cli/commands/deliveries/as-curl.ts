import type { LoggedAttempt } from '../../../control-client/types.ts';

/** What curl sets by itself. */
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/** An attempt's request as a curl command, with the signature as it was sent. */
export function asCurl({ url, headers }: LoggedAttempt['request'], body: string): string {
  const lines = Object.entries(headers)
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${quoted(url)}`, ...lines, `  --data-binary ${quoted(body)}`].join(' \\\n');
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
