/** The origin of an absolute URL; the empty string where `url` is none. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}
