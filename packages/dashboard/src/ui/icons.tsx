const PATHS = {
  overview: 'M2.5 8.5h4v5h-4zM9.5 2.5h4v5h-4zM2.5 2.5h4v3h-4zM9.5 10.5h4v3h-4z',
  deliveries: 'M2 8h3l1.5-4 3 8L11 8h3',
  events: 'M8.5 1.8 3.5 9h4l-.5 5.2L12.5 7h-4z',
  profiles: 'M2.5 2.5h11v11h-11zM8 8.2a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM4.8 13a3.3 3.3 0 0 1 6.4 0',
  lifecycle: 'M13.5 8a5.5 5.5 0 0 1-9.6 3.7M2.5 8a5.5 5.5 0 0 1 9.6-3.7M12.5 1.8v2.8H9.7M3.5 14.2v-2.8h2.8',
  webhooks:
    'M6.2 5.2a2.3 2.3 0 1 1 2.9 2.2M6 6.8 4 10.4M4.2 10.2a2.3 2.3 0 1 0 2.1 2.5h4.2M8.8 6.5l2.1 3.9a2.3 2.3 0 1 1-1.4 4',
  key: 'M10.5 8.5a3 3 0 1 0-2.8-2L2.5 11.7v1.8h2v-1.5h1.5v-1.5H7.5l1-1a3 3 0 0 0 2-1zM11 5h.01',
  book: 'M8 4v9.5M8 4C6.8 3 5 2.6 2.5 2.6v9.5c2.5 0 4.3.4 5.5 1.4 1.2-1 3-1.4 5.5-1.4V2.6C11 2.6 9.2 3 8 4z',
  types: 'M3 4h10M3 8h10M3 12h6',
  requests: 'M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13',
  settings: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3',
  members:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.8 13.5a4.2 4.2 0 0 1 8.4 0M10.5 2.8a2.4 2.4 0 0 1 0 4.5M11.5 9.6a4.2 4.2 0 0 1 2.7 3.9',
  faults: 'M8 2.2 14.2 13H1.8zM8 6.2v3.2M8 11.4h.01',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1',
  bell: 'M4 7a4 4 0 1 1 8 0c0 3 1.2 4 1.2 4H2.8S4 10 4 7zM6.7 13.3a1.4 1.4 0 0 0 2.6 0',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  cross: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M4.5 6.5 8 10l3.5-3.5',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  play: 'M5 3.2v9.6L12.5 8z',
  pause: 'M5.2 3.5v9M10.8 3.5v9',
  skip: 'M3 4v8l5-4zM9 4v8l5-4z',
  replay: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.8v2.4h2.4',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  plus: 'M8 3v10M3 8h10',
  shield: 'M8 1.8 13 4v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14a5.5 5.5 0 0 1 11 0',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.6 9h5.8l.6-9',
  edit: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3z',
  terminal: 'M3 4.5 6.5 8 3 11.5M8 12h5',
} as const;

export type IconName = keyof typeof PATHS;

/**
 * Shows an icon, which is hidden from screen readers. The text next to the icon, or a label, provides the accessible
 * name.
 */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
