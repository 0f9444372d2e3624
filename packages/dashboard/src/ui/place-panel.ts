/** The edges of the button that opens the panel, in the window's coordinates. */
interface Opener {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

/**
 * Distances in pixels. `GAP` is the distance between the opener and its panel. `EDGE` is the minimum distance between
 * the panel and the window's edge.
 */
const GAP = 4;
const EDGE = 12;

/**
 * Places the panel below the opener, or above it if the panel does not fit below and there is more room above. The
 * panel stays inside the window, and scrolls if it is too tall.
 */
export function placePanel(
  opener: Opener,
  panel: Size,
  window: Size,
  align: 'start' | 'end',
): { left: number; top: number; maxHeight: number } {
  const wanted = align === 'start' ? opener.left : opener.right - panel.width;
  const left = Math.max(EDGE, Math.min(wanted, window.width - EDGE - panel.width));
  const below = window.height - opener.bottom - GAP - EDGE;
  const above = opener.top - GAP - EDGE;
  if (panel.height <= below || below >= above) return { left, top: opener.bottom + GAP, maxHeight: below };
  return { left, top: opener.top - GAP - Math.min(panel.height, above), maxHeight: above };
}
