/** Opens the tab that contains the target of the address, such as `#express`, and scrolls to it. */
export function openTab(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  const panel = target?.closest<HTMLElement>('.tab-panel');
  const radio =
    panel?.parentElement?.querySelectorAll<HTMLInputElement>('.tab-list input')[Number(panel.dataset['tab']) - 1];
  if (!radio || radio.checked) return;
  radio.checked = true;
  target?.scrollIntoView();
}
