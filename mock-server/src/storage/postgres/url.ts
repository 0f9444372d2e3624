/** Whether a text is the URL of a PostgreSQL database. */
export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}

/** What a database is called before people: where it is, without the credentials of its URL. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'on this machine'}${pathname}`;
}

/** A text in which the user and the password of a URL are blotted out, should they stand in it. */
export function withoutCredentials(url: string, text: string): string {
  const { username, password, searchParams } = new URL(url);
  const secrets = [username, password, searchParams.get('user'), searchParams.get('password')]
    .flatMap((secret) => (secret ? [secret, decodeURIComponent(secret)] : []))
    .sort((a, b) => b.length - a.length);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}
