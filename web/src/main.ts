import { mount } from "svelte";
import App from "./frame/App.svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/holders.css";
import "./styles/frame.css";
import { preferred, speak } from "./texts/texts.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");
// Without its texts a page would show keys: words first, then the picture.
await speak(preferred());
mount(App, { target });
