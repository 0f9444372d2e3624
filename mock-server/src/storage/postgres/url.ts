/** Whether a text is the URL of a PostgreSQL database. */
export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}

/** What a database is called before people: where it is, without the credentials of its URL. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'on this machine'}${pathname}`;
}

/** A text in which the user (where it is a word) and the password of a URL are blotted out, should they stand in it. */
export function withoutCredentials(url: string, text: string): string {
  const { username, password, searchParams } = new URL(url);
  const users = spellingsOf(username, searchParams.get('user')).map((user) => `(?<!\\w)${literally(user)}(?!\\w)`);
  const passwords = spellingsOf(password, searchParams.get('password')).map(literally);
  const found = [...passwords, ...users].join('|');
  return found === '' ? text : text.replaceAll(new RegExp(found, 'g'), '***');
}

/** As they stand in the URL, and decoded; the longest first. */
function spellingsOf(...texts: (string | null)[]): string[] {
  return texts.flatMap((text) => (text ? [text, decodeURIComponent(text)] : [])).sort((a, b) => b.length - a.length);
}

/** A pattern for this text and nothing else. */
const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
