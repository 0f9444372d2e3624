import picocolors from 'picocolors';

/** Colours for text, or nothing. */
export type Style = ReturnType<typeof picocolors.createColors>;

/** Colour is for terminals, and never with `NO_COLOR` (no-color.org: set to any text). */
export function styleFor(stream: { isTTY?: boolean | undefined }, env: NodeJS.ProcessEnv): Style {
  return picocolors.createColors(stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb');
}

/** A delivery's or an endpoint's status in its colour. */
export function styleStatus(style: Style, status: string): string {
  switch (status) {
    case 'success':
    case 'active':
      return style.green(status);
    case 'failed':
      return style.red(status);
    case 'disabled':
    case 'inactive':
      return style.yellow(status);
    default:
      return style.cyan(status);
  }
}
