import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const RETRY_MS = 1_000;

/** A screen, or a part of one, whose code is loaded when it is first shown. `meanwhile` is shown until then. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: ComponentChild = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [Screen, setScreen] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [failures, setFailures] = useState(0);
    useEffect(() => {
      if (Screen) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      load().then(
        (component) => {
          loaded = component;
          setScreen(() => component);
        },
        // The server is away and may come back.
        () => {
          timer = setTimeout(() => setFailures(failures + 1), RETRY_MS);
        },
      );
      return () => clearTimeout(timer);
    }, [Screen, failures]);
    return Screen ? <Screen {...props} /> : meanwhile;
  };
}
