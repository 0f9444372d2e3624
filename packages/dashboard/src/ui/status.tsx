const MARKS: Readonly<Record<string, { shape: string; tone: string }>> = {
  success: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5 8.2l2.1 2.1L11 6.2', tone: 'good' },
  failed: { shape: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM6 6l4 4M10 6l-4 4', tone: 'bad' },
  pending: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 5v3.2l2 1.3', tone: 'waiting' },
  retrying: { shape: 'M13.4 9.5A5.6 5.6 0 1 1 12 4M12.4 1.4v3H9.4M8 5.2v3', tone: 'waiting' },
  disabled: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5 8h6', tone: 'off' },
  new: { shape: 'M8 1.5l1.9 4.4 4.6.4-3.5 3.1 1.1 4.6L8 11.6 3.9 14l1.1-4.6L1.5 6.3l4.6-.4z', tone: 'frozen' },
  active: { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM5 8.2l2.1 2.1L11 6.2', tone: 'good' },
  at_risk: { shape: 'M8 1.8 15 14H1zM8 6.2v3.6M8 11.9h.01', tone: 'waiting' },
  dormant: { shape: 'M13.5 9.6A6 6 0 1 1 6.4 2.5a4.8 4.8 0 0 0 7.1 7.1z', tone: 'off' },
  churned: { shape: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM6 6l4 4M10 6l-4 4', tone: 'bad' },
};
const UNKNOWN = { shape: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z', tone: 'off' };

const markOf = (status: string) => MARKS[status] ?? UNKNOWN;

export const toneOf = (status: string): string => `tone-${markOf(status).tone}`;

export function Status({ value, word = value }: { value: string; word?: string }) {
  return (
    <span class={`status ${toneOf(value)}`}>
      <svg class="icon" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
        <path d={markOf(value).shape} />
      </svg>
      <span>{word}</span>
    </span>
  );
}
