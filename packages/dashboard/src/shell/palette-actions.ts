import { actAs, actingUserId } from '../data/acting.ts';
import { control } from '../data/control.ts';
import { evaluateNow } from '../data/lifecycle.ts';
import { serverClock } from '../data/live.ts';
import { matches } from '../format/matches.ts';
import { eventUrl } from '../routes.ts';
import { orToast, toast } from '../ui/toast.tsx';
import { isHelpOpen } from './open-dialogs.ts';
import { moveOrToast, moveToNextDue } from './time-bar.tsx';

export interface PaletteAction {
  text: string;
  note: 'action';
  run(): void;
}

/** Returns the actions whose names contain every word of the text, and no actions for an empty string. */
export function actionsMatching(
  text: string,
  workspaceId: string,
  users: readonly { id: string; name: string }[],
): PaletteAction[] {
  if (text.trim() === '') return [];
  const isFrozen = serverClock.value?.frozen === true;
  const all: (readonly [text: string, run: () => void])[] = [
    ['Advance the clock by 5 minutes', () => void moveOrToast({ advance: '5m' })],
    ['Advance the clock by 1 hour', () => void moveOrToast({ advance: '1h' })],
    ['Advance the clock by 12 hours', () => void moveOrToast({ advance: '12h' })],
    ['Advance the clock to the next due work', () => void moveToNextDue()],
    isFrozen
      ? ['Resume the clock', () => void moveOrToast({ resume: true })]
      : ['Freeze the clock', () => void moveOrToast({ freeze: true })],
    ['Trigger an event (lifecycle.evaluated)', () => void trigger(workspaceId)],
    ['Evaluate the profiles now', () => void evaluate(workspaceId)],
    ...(actingUserId.value === undefined ? [] : [['Act as API key: everything', () => actAs(undefined)] as const]),
    ...users
      .filter(({ id }) => id !== actingUserId.value)
      .map(({ id, name }) => [`Act as ${name}`, () => actAs(id)] as const),
    [
      'Show the keys',
      () => {
        isHelpOpen.value = true;
      },
    ],
  ];
  return all.filter(([name]) => matches(name, [], text)).map(([name, run]) => ({ text: name, note: 'action', run }));
}

const toEvent = (workspaceId: string, eventId: string) => ({
  link: { href: eventUrl(workspaceId, eventId), text: 'Open the event' },
});

const trigger = (workspaceId: string) =>
  orToast(async () => {
    const made = await control('POST', '/events', { body: { workspaceId, type: 'lifecycle.evaluated' } });
    toast('Triggered the event.', 'event' in made ? toEvent(workspaceId, made.event.id) : {});
  });

const evaluate = (workspaceId: string) =>
  orToast(async () => {
    const { eventId } = await evaluateNow(workspaceId);
    toast('Evaluated the profiles.', toEvent(workspaceId, eventId));
  });
