// Elements of components, and arrows with a type parameter.
import { Panel, menu } from "./parts";

export const identity = <T,>(value: T) => value;
//           ^^^^^^^^ def identity function

export function Page({ title }: { title: string }) {
//              ^^^^ def Page function
  return (
    <Panel title={title} {...extra} onClose={() => close(title)}>
//   ^^^^^ ref Panel
//                ^^^^^ ref title
//                           ^^^^^ ref extra
//                                                 ^^^^^ ref close
      <menu.Item />
//     ^^^^ ref menu
      <div>{text}</div>
//          ^^^^ ref text
    </Panel>
  );
}
