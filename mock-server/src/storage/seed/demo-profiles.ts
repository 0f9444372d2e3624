import type { Instant } from '../../domain/instant.ts';
import { addDays, calendarOf, type Day } from '../../domain/profiles/calendar.ts';

/** How a person uses the product: on which days before today the person was active. */
type Habit = (person: number) => number[];

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** One habit for each state. People with the same habit differ a little. */
const HABITS: Record<'new' | 'active' | 'atRisk' | 'dormant' | 'churned', Habit> = {
  new: (person) => range(person % 3, 2 + (person % 4), 2),
  // Active on the same weekdays each week, so that no week has fewer active days than the previous week.
  active: (person) => range(0, 9).flatMap((week) => [1, 3, 5].slice(0, 1 + (person % 3)).map((day) => week * 7 + day)),
  atRisk: (person) => range(15 + person, 60, 3),
  dormant: (person) => range(30 + 5 * person, 120, 4),
  churned: (person) => range(95 + 10 * person, 300, 6),
};

const PEOPLE: Record<keyof typeof HABITS, string> = {
  new: 'Ada Lovelace, Alan Turing, Grace Hopper, Jürgen Weiß, Αθηνά Παπαδοπούλου, Noor Rahman, Liam Walsh',
  active:
    'Katherine Johnson, Edsger Dijkstra, Barbara Liskov, Donald Knuth, Radia Perlman, Tim Berners, İpek Çağlar, ' +
    '山田 太郎, Frances Allen, Ken Thompson, Margaret Hamilton, Dennis Ritchie, Sophie Wilson, Linus Berg',
  atRisk: 'Annie Easley, John Backus, Karen Jones, Niklaus Weber, Hedy Kiesler, Tony Hoare, Mary Keller',
  dormant: 'Joan Clarke, Claude Shannon, Evelyn Berezin, Vint Kahn, Lynn Conway, Peter Naur',
  churned: 'Charles Babbage, George Boole, Jean Bartik, Kay McNulty, Konrad Zuse, Betty Holberton',
};

const PLANS = ['free', 'team', 'pro'];

/** The profiles of forty people, who together cover every state at the time `now`. */
export function demoProfiles(now: Instant, timezone: string) {
  const today: Day = calendarOf(timezone).dayOf(now);
  return Object.entries(PEOPLE).flatMap(([habit, names]) =>
    names.split(', ').map((name, person) => {
      const days = HABITS[habit as keyof typeof HABITS](person);
      const key = `${habit.toLowerCase()}-${person + 1}`;
      return {
        externalId: `user-${key}`,
        name,
        email: `${key}@customer.test`,
        attributes: { plan: PLANS[person % PLANS.length] },
        activeDays: days.map((before) => addDays(today, -before)),
      };
    }),
  );
}
