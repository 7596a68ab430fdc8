// Elements from plain calls. Text is always text: nothing here reads markup.

const SVG = 'http://www.w3.org/2000/svg';

/** `h('a.quiet', {href: '/'}, 'Home')`: an element with classes, properties and children. */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length) element.className = classes.join(' ');
  return fill(element, properties, children);
}

/** The same for SVG, where everything is an attribute. */
export function s(name, attributes, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElementNS(SVG, tag);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  return fill(element, attributes, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== 'string' && !(element instanceof SVGElement)) {
      element[name] = value;
    } else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter((child) => child || child === 0));
  return element;
}

/** Replaces what is in an element. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child || child === 0));
  return element;
}

/** Sets a text only where it differs, so that nothing is drawn or read out twice. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let count = 0;

/** A name for an element that others refer to. */
export function freshId(prefix) {
  count += 1;
  return `${prefix}-${count}`;
}

/** A label and what it labels. */
export function field(label, control, note) {
  control.id ||= freshId('field');
  return h('div.field', {}, h('label', { for: control.id }, label), control, note);
}

/** A choice of one of several, as buttons in a row. */
export function choice(label, options, chosen, onchange) {
  const name = freshId('choice');
  const radio = ([value, text]) =>
    h('label', {},
      h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onchange(value) }),
      h('span', {}, text));
  return h('fieldset.choice', {}, h('legend', {}, label), h('div', {}, options.map(radio)));
}
