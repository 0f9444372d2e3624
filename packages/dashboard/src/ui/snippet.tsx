import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from './copy.tsx';

export function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <figure class="snippet">
      <figcaption>
        {title}
        <CopyButton text={text} label={`Copy ${title}`}>
          Copy
        </CopyButton>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll the code with the keyboard. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </figure>
  );
}

/** Shows snippets for the same task, for example with curl and with the client. */
export function SnippetTabs({
  title,
  tabs,
}: {
  title: string;
  tabs: readonly (readonly [tool: string, text: string, below?: ComponentChildren])[];
}) {
  const [chosen, setChosen] = useState(0);
  const [tool, text, below] = tabs[chosen] ?? ['', ''];
  return (
    <div class="snippet-tabs">
      <fieldset class="segments tabs" aria-label={`${title} with`}>
        {tabs.map(([name], index) => (
          <button key={name} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
            {name}
          </button>
        ))}
      </fieldset>
      <Snippet title={`${title} with ${tool}`} text={text} />
      {below}
    </div>
  );
}
