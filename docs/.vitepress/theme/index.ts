import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { nextTick } from 'vue';
import { openTab } from './open-tab.ts';
import './style.css';
import './diagrams.css';
import './tabs.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    if (typeof window === 'undefined') return;
    const open = () => void nextTick(openTab);
    const before = router.onAfterPageLoad;
    router.onAfterPageLoad = async (to) => {
      await before?.(to);
      open();
    };
    window.addEventListener('hashchange', open);
    window.addEventListener('load', open);
  },
} satisfies Theme;
