/** A request to send by hand. */
export interface CurlRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | null | undefined;
}

/** Headers that `curl` sets itself. */
const LEFT_OUT = ['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding'];

/** A `curl` command for a POSIX shell. Every value is quoted, so the shell runs nothing in it. */
export function curlCommand({ method, url, headers, body }: CurlRequest): string {
  const lines = [`curl -X ${quote(method)} ${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    if (!LEFT_OUT.includes(name.toLowerCase())) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (body != null && body !== '') lines.push(`--data-binary ${quote(body)}`);
  return lines.join(' \\\n  ');
}

/** Single quotes keep everything literal. A single quote in the text is written outside of them. */
const quote = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
