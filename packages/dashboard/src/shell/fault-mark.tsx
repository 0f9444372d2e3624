import { isInForce, useFaults } from '../data/faults.ts';
import { href } from '../routes.ts';
import { Icon } from '../ui/icons.tsx';

/** Shows on every screen that faults are active. */
export function FaultMark() {
  const { data } = useFaults();
  const count = data?.filter(isInForce).length ?? 0;
  if (count === 0) return null;
  const text = `active ${count === 1 ? 'fault' : 'faults'}`;
  return (
    <a class="badge tone-waiting fault-mark" href={href('server/faults')} aria-label={`${count} ${text}`}>
      <Icon name="faults" size={14} />
      {count} <span class="long">{text}</span>
    </a>
  );
}
