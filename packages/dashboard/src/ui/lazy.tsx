import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { createRetry } from '../data/retry.ts';

/** Returns a component that shows `meanwhile` until `load` has loaded the component's code. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ComponentChild = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Screen, setScreen] = useState<ComponentType<Props> | undefined>(() => loaded);
    useEffect(() => {
      if (Screen) return;
      let isShown = true;
      const attempt = () =>
        load().then(
          (component) => {
            loaded = component;
            if (isShown) setScreen(() => component);
          },
          // Try again, because the server may be down only for a short time.
          () => isShown && retry.later(),
        );
      const retry = createRetry(attempt);
      void attempt();
      return () => {
        isShown = false;
        retry.reset();
      };
    }, [Screen]);
    return Screen ? <Screen {...props} /> : meanwhile;
  };
}
