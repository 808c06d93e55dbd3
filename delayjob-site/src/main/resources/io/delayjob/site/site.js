// Colours code, draws diagrams, and opens the contents on small screens.
const dark = matchMedia('(prefers-color-scheme: dark)').matches;

document.querySelectorAll('code.language-mermaid').forEach(code => {
  const diagram = document.createElement('div');
  diagram.className = 'mermaid';
  diagram.textContent = code.textContent;
  code.parentElement.replaceWith(diagram);
});
if (window.mermaid) {
  mermaid.initialize({ startOnLoad: true, theme: dark ? 'dark' : 'neutral' });
}

document.querySelectorAll('pre code[class^="language-"]').forEach(code => hljs.highlightElement(code));

// Tables scroll by themselves where the screen is narrow.
document.querySelectorAll('main table').forEach(table => {
  const box = document.createElement('div');
  box.className = 'table';
  table.replaceWith(box);
  box.append(table);
});

const menu = document.getElementById('menu');
menu.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu');
  menu.setAttribute('aria-expanded', String(open));
});
