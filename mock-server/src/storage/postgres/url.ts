/** What is wrong with a database URL that {@link isPostgresUrl} rejects. */
export const NO_POSTGRES_URL =
  'The database must be a URL such as postgres://user:password@host:5432/name. Encode special characters in the password, such as # as %23, / as %2F and @ as %40.';

/**
 * Whether the driver can use a URL, and messages can show the URL without credentials. Rejects an `@` after the host,
 * because in such a URL, the text before the `@` is part of an unencoded password.
 */
export function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || /@/.test(url.pathname + url.hash)) return false;
  const ports = url.searchParams.getAll('port').every((port) => /^\d{1,5}$/.test(port));
  return ports && [url.username, url.password, url.pathname].every(isEncoded);
}

function isEncoded(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Returns the name of a database for messages: the URL without credentials. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'on this machine'}${pathname}`;
}

/**
 * Replaces the user and the password of a URL everywhere in a string. A user name that is only a part of a longer word
 * is not replaced.
 */
export function withoutCredentials(url: string, text: string): string {
  const { username, password, searchParams } = new URL(url);
  const users = spellingsOf(username, searchParams.get('user')).map((user) => `(?<!\\w)${literally(user)}(?!\\w)`);
  const passwords = spellingsOf(password, searchParams.get('password')).map(literally);
  const found = [...passwords, ...users].join('|');
  return found === '' ? text : text.replaceAll(new RegExp(found, 'g'), '***');
}

/** Returns each string twice: as written in the URL, and decoded. The longest string comes first. */
function spellingsOf(...texts: (string | null)[]): string[] {
  return texts.flatMap((text) => (text ? [text, decodeURIComponent(text)] : [])).sort((a, b) => b.length - a.length);
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
