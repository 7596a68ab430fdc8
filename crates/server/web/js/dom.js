// Creating and changing elements. Strings always become text, never markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Node | string | false | null | undefined | Child[]} Child */

/**
 * Properties, attributes and event listeners by name.
 * @typedef {{
 *   [name: string]: unknown,
 *   onclick?: (event: MouseEvent) => unknown,
 *   onsubmit?: (event: SubmitEvent) => unknown,
 * }} Properties
 */

/**
 * @template {string} Name
 * @typedef {Name extends `${infer Tag}.${string}` ? Tag : Name} TagOf
 */

/**
 * @template {string} Name
 * @typedef {TagOf<Name> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<Name>] : HTMLElement} ElementOf
 */

/**
 * `h('a.quiet', { href: '/' }, 'Home')`: an element with classes, properties and children.
 * @template {string} Name
 * @param {Name} name
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {ElementOf<Name>}
 */
export function h(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  return /** @type {ElementOf<Name>} */ (fill(element, properties, children));
}

/**
 * The same for SVG, where everything is an attribute.
 * @param {string} name
 * @param {Properties} [attributes]
 * @param {...Child} children
 */
export function svg(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  if (classes.length) element.setAttribute('class', classes.join(' '));
  return fill(element, attributes, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Properties} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name in element && typeof value !== 'string' && !(element instanceof SVGElement)) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => (Array.isArray(child) ? nodes(child) : child ? [child] : []));
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function setChildren(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Replaces controls without taking the focus from one that stays: actions are known by `data-action`.
 * @param {HTMLElement} element
 * @param {Child[]} children
 * @returns {boolean} false if the control with the focus is gone
 */
export function replaceKeepingFocus(element, children) {
  const focused = document.activeElement;
  const action = focused instanceof HTMLElement && element.contains(focused) ? focused.dataset.action : undefined;
  setChildren(element, children);
  if (!action) return true;
  const same = element.querySelector(`[data-action=${action}]`);
  if (same instanceof HTMLElement) same.focus();
  return same !== null;
}

/**
 * Sets a text only if it differs, so that nothing is drawn or read out twice.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let ids = 0;

/**
 * An id for an element that others refer to.
 * @param {string} prefix
 */
export function uniqueId(prefix) {
  ids += 1;
  return `${prefix}-${ids}`;
}

/**
 * A form control with its label.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {Child} [note]
 */
export function field(label, control, note) {
  control.id ||= uniqueId('field');
  return h('div.field', {}, h('label', { for: control.id }, label), control, note);
}

/**
 * A row of radio buttons.
 * @template {string} Value
 * @param {string} label
 * @param {[Value, Child][]} options
 * @param {Value} chosen
 * @param {(value: Value) => void} onchange
 */
export function radioGroup(label, options, chosen, onchange) {
  const name = uniqueId('choice');
  return h('fieldset.choice', {}, h('legend', {}, label), h('div', {}, options.map(([value, text]) =>
    h('label', {}, h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onchange(value) }), h('span', {}, text)))));
}

/**
 * The element an event is about or came through, if it matches a selector.
 * @param {Event} event
 * @param {string} selector
 */
export function closest(event, selector) {
  return event.target instanceof Element ? /** @type {HTMLElement | SVGElement | null} */ (event.target.closest(selector)) : null;
}
