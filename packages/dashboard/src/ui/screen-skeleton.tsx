/** Fills the screen until all data is loaded, so that nothing moves in the meantime. `heights` are in pixels. */
export function ScreenSkeleton({ heights }: { heights: readonly number[] }) {
  return (
    <div class="screen" aria-busy="true">
      <div class="screen-head skeleton-head">
        <span class="skeleton wide" />
      </div>
      {heights.map((height) => (
        <div key={height} class="card skeleton-card" style={{ height: `${height}px` }} />
      ))}
    </div>
  );
}
