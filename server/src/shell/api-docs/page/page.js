// Draws /api/openapi.json as a list of calls. Plain JavaScript: it is served as it stands, under the same policy as the console.
const calls = document.getElementById('calls');
const find = document.getElementById('find');
const count = document.getElementById('count');

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A schema in few words: `{deviceIds?: [integer ≥ 1], command: string}`. */
function words(schema, depth = 0) {
  const next = '  '.repeat(depth + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((branch) => words(branch, depth)).join(' | ');
  if (schema.type === 'array')
    return schema.prefixItems
      ? `[${schema.prefixItems.map((item) => words(item, depth)).join(', ')}]`
      : `[${words(schema.items ?? {}, depth)}]`;
  if (schema.patternProperties) return `{[name]: ${words(Object.values(schema.patternProperties)[0] ?? {}, depth)}}`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${next}${name}${schema.required?.includes(name) ? '' : '?'}: ${words(field, depth + 1)}`,
    );
    return `{\n${fields.join(',\n')}\n${'  '.repeat(depth)}}`;
  }
  const limits = [
    schema.minimum === undefined ? '' : ` ≥ ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum >= Number.MAX_SAFE_INTEGER ? '' : ` ≤ ${schema.maximum}`,
    schema.maxLength === undefined ? '' : ` (at most ${schema.maxLength} characters)`,
    schema.format ? ` (${schema.format})` : '',
  ];
  return `${schema.type ?? 'any'}${limits.join('')}`;
}

function section(title, schema) {
  return schema
    ? [element('h3', { textContent: title }), element('pre', { tabIndex: 0, textContent: words(schema) })]
    : [];
}

const contentOf = (part) => Object.values(part?.content ?? {})[0]?.schema;

function parameters(operation, components) {
  const rows = operation.parameters
    .map((entry) => (entry.$ref ? components.parameters[entry.$ref.split('/').at(-1)] : entry))
    .map((entry) =>
      element(
        'tr',
        {},
        element('td', { textContent: `${entry.name}${entry.required ? '' : '?'}` }),
        element('td', { textContent: entry.in }),
        element('td', { textContent: entry.description ?? words(entry.schema) }),
      ),
    );
  return rows.length > 0 ? [element('h3', { textContent: 'Parameters' }), element('table', {}, ...rows)] : [];
}

function card(method, path, operation, components) {
  const [status, answer] = Object.entries(operation.responses)[0];
  const access = operation['x-permission']?.join(' or ') ?? 'public';
  const made = element(
    'details',
    {},
    element(
      'summary',
      {},
      element('span', { className: 'method', textContent: method.toUpperCase() }),
      element('span', { className: 'path', textContent: path }),
      element('span', { textContent: access }),
      element('span', { className: 'what', textContent: operation.summary }),
    ),
    element(
      'div',
      { className: 'inside' },
      ...parameters(operation, components),
      ...section('Body', contentOf(operation.requestBody)),
      ...section(`Answer ${status}`, contentOf(answer)),
    ),
  );
  return { made, tag: operation.tags[0], text: `${method} ${path} ${operation.summary} ${access}`.toLowerCase() };
}

function draw({ paths, tags, components }) {
  const cards = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => card(method, path, operation, components)),
  );
  const sections = tags.map(({ name }) => {
    const own = cards.filter(({ tag }) => tag === name);
    const made = element('section', {}, element('h2', { textContent: name }), ...own.map((entry) => entry.made));
    return { made, own };
  });
  calls.replaceChildren(...sections.map(({ made }) => made));
  const show = () => {
    const wanted = find.value.trim().toLowerCase();
    for (const { made, text } of cards) made.hidden = !text.includes(wanted);
    for (const { made, own } of sections) made.hidden = own.every((entry) => entry.made.hidden);
    count.textContent = `${cards.filter(({ made }) => !made.hidden).length} of ${cards.length} calls`;
  };
  find.addEventListener('input', show);
  show();
}

async function start() {
  // The console's session in this browser, where the description is not public.
  const token = localStorage.getItem('token');
  const reply = await fetch('/api/openapi.json', token ? { headers: { Authorization: token } } : {});
  if (reply.status === 401) {
    calls.replaceChildren(
      element(
        'p',
        {},
        'The description is for signed-in accounts: ',
        element('a', { href: '/login', textContent: 'sign in' }),
        ', then reload this page.',
      ),
    );
    return;
  }
  if (!reply.ok) throw new Error(`openapi.json answered ${reply.status}`);
  draw(await reply.json());
}

start().catch((thrown) =>
  calls.replaceChildren(
    element('p', { role: 'alert', textContent: `The description could not be loaded: ${thrown.message}` }),
  ),
);
