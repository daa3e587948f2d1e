// The search and the choice of light or dark. Without this script every page can be read all the same.
(() => {
  const root = document.documentElement.dataset.root;
  const narrow = window.matchMedia('(max-width: 60rem)');
  if (narrow.matches) document.querySelector('.menu details').open = false;

  // Pages that are opened as files may not be allowed to remember anything.
  const remembered = {
    read: () => {
      try {
        return localStorage.getItem('theme');
      } catch {
        return null;
      }
    },
    write: (theme) => {
      try {
        localStorage.setItem('theme', theme);
      } catch {
        // Then the choice is this page's alone.
      }
    },
  };
  const button = document.querySelector('.theme');
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  const show = (theme) => {
    if (theme !== null) document.documentElement.dataset.theme = theme;
    button.textContent = isDark() ? 'Light' : 'Dark';
  };
  button.hidden = false;
  show(remembered.read());
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    remembered.write(theme);
    show(theme);
  });

  const box = document.querySelector('.search');
  const input = document.querySelector('#search');
  const found = document.querySelector('#found');
  box.hidden = false;
  let index;

  const load = (file) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}/${file}`;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  const ready = () => {
    index ??= Promise.all([load('minisearch.js'), load('search-index.js')]).then(() => {
      const { options, index: json } = window.depCtrlSearch;
      return window.MiniSearch.loadJSON(json, options);
    });
    return index;
  };
  const close = () => {
    found.hidden = true;
    found.replaceChildren();
  };
  const links = () => [...found.querySelectorAll('a')];

  input.addEventListener('focus', ready, { once: true });
  input.addEventListener('input', async () => {
    const wanted = input.value.trim();
    if (wanted === '') return close();
    const search = await ready();
    // Somebody who types on is answered about what stands there now.
    if (input.value.trim() !== wanted) return undefined;
    const hits = search.search(wanted, { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } }).slice(0, 12);
    found.replaceChildren(
      ...hits.map(({ href, page, title }) => {
        const link = document.createElement('a');
        link.href = `${root}/${href}`;
        link.append(title);
        if (page !== title) {
          const small = document.createElement('small');
          small.textContent = page;
          link.append(small);
        }
        return link;
      }),
    );
    if (hits.length === 0) found.textContent = 'Nothing found.';
    found.hidden = false;
    return undefined;
  });
  box.addEventListener('keydown', (event) => {
    const all = links();
    const at = all.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      close();
      input.focus();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      all[Math.min(at + 1, all.length - 1)]?.focus();
    } else if (event.key === 'ArrowUp' && at >= 0) {
      event.preventDefault();
      (all[at - 1] ?? input).focus();
    } else if (event.key === 'Enter' && event.target === input) {
      all[0]?.click();
    }
  });
  found.addEventListener('click', close);
  document.addEventListener('click', (event) => {
    if (!box.contains(event.target)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, textarea') !== null) return;
    event.preventDefault();
    input.focus();
  });
})();
