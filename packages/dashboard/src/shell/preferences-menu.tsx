import type { Signal } from '@preact/signals';
import { shortcuts, theme, zone } from '../data/preferences.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';

function Choice<Value extends string>({
  legend,
  value,
  options,
}: {
  legend: string;
  value: Signal<Value>;
  options: Readonly<Record<Value, string>>;
}) {
  return (
    <fieldset class="segments">
      <legend>{legend}</legend>
      {(Object.keys(options) as Value[]).map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={legend}
            checked={value.value === option}
            onChange={() => {
              value.value = option;
            }}
          />
          <span>{options[option]}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function PreferencesMenu() {
  return (
    <Menu button={<Icon name="sun" />} label="Preferences" class="ghost icon-only" align="end">
      <div class="panel-group preferences">
        <Choice legend="Colors" value={theme} options={{ system: 'System', light: 'Light', dark: 'Dark' }} />
        <Choice legend="Time zone" value={zone} options={{ local: 'Local', utc: 'UTC', workspace: 'Workspace' }} />
        <Choice legend="Single-key shortcuts" value={shortcuts} options={{ on: 'On', off: 'Off' }} />
      </div>
    </Menu>
  );
}
