import java.io.PrintWriter;
import java.lang.reflect.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/**
 * Writes library.txt: the public types of the platform's most used packages, with their bases, methods and fields.
 *
 * Run with the lowest JDK whose library is to be known: java MakeLibrary.java > library.txt
 *
 * One line each: "T name variables", "B bases", "M name variables|parameters|result", "F name|type". A line of
 * "T" begins a type; "T i" is an interface, "T x" a final class. Names of packages are shortened as in PACKAGES,
 * type variables begin with a quote, wildcards are their bounds. "V" before parameters: the last one takes the rest.
 * Methods that only repeat a base's are left out.
 */
public class MakeLibrary {
    static final String[][] PACKAGES = {
        {"java.lang.reflect", "r"}, {"java.lang.annotation", "a"}, {"java.lang.invoke", "h"}, {"java.lang", "l"},
        {"java.util.function", "f"}, {"java.util.stream", "s"}, {"java.util.concurrent.atomic", "ca"},
        {"java.util.concurrent.locks", "cl"}, {"java.util.concurrent", "c"}, {"java.util.regex", "x"}, {"java.util", "u"},
        {"java.io", "i"}, {"java.nio.file.attribute", "nfa"}, {"java.nio.file", "nf"}, {"java.nio.charset", "nc"},
        {"java.nio.channels", "nch"}, {"java.nio", "n"}, {"java.time.format", "tf"}, {"java.time.temporal", "tt"},
        {"java.time.chrono", "tc"}, {"java.time.zone", "tz"}, {"java.time", "t"}, {"java.math", "m"}, {"java.text", "x2"},
        {"java.net", "e"}, {"java.security", "y"},
    };

    static String shorten(String name) {
        for (String[] pair : PACKAGES) {
            if (name.startsWith(pair[0] + ".") && Character.isUpperCase(name.charAt(pair[0].length() + 1))) {
                return pair[1] + name.substring(pair[0].length());
            }
        }
        return name;
    }

    static String text(Type type) {
        if (type instanceof Class<?> plain) {
            return plain.isArray() ? text(plain.getComponentType()) + "[]" : shorten(plain.getName().replace('$', '.'));
        }
        if (type instanceof GenericArrayType array) return text(array.getGenericComponentType()) + "[]";
        if (type instanceof TypeVariable<?> variable) return "'" + variable.getName();
        if (type instanceof WildcardType wild) {
            return wild.getLowerBounds().length > 0 ? text(wild.getLowerBounds()[0])
                : wild.getUpperBounds()[0] == Object.class ? "?" : text(wild.getUpperBounds()[0]);
        }
        ParameterizedType applied = (ParameterizedType) type;
        return text(applied.getRawType()) + Arrays.stream(applied.getActualTypeArguments()).map(MakeLibrary::text)
            .collect(Collectors.joining(",", "<", ">"));
    }

    static String variables(GenericDeclaration of) {
        return Arrays.stream(of.getTypeParameters()).map(v -> " '" + v.getName()
            + (v.getBounds()[0] == Object.class ? "" : ":" + text(v.getBounds()[0]))).collect(Collectors.joining());
    }

    static boolean shown(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    static String method(Method of) {
        String parameters = Arrays.stream(of.getGenericParameterTypes()).map(MakeLibrary::text).collect(Collectors.joining(" "));
        boolean open = Modifier.isAbstract(of.getModifiers()) && of.getDeclaringClass().isInterface();
        return (open ? "A " : "M ") + of.getName() + variables(of) + "|" + (of.isVarArgs() ? "V " : "") + parameters + "|"
            + text(of.getGenericReturnType());
    }

    static Set<String> inherited(Class<?> type) {
        Set<String> found = new HashSet<>();
        Deque<Class<?>> waiting = new ArrayDeque<>();
        waiting.add(type);
        while (!waiting.isEmpty()) {
            Class<?> at = waiting.poll();
            if (at != type) Arrays.stream(at.getDeclaredMethods()).map(MakeLibrary::method).forEach(found::add);
            if (at.getSuperclass() != null) waiting.add(at.getSuperclass());
            waiting.addAll(Arrays.asList(at.getInterfaces()));
        }
        return found;
    }

    static void write(Class<?> type, PrintWriter out) {
        String mark = type.isInterface() ? "i" : Modifier.isFinal(type.getModifiers()) ? "x" : "c";
        out.println("T " + mark + " " + text(type) + variables(type));
        List<Type> bases = new ArrayList<>();
        if (type.getGenericSuperclass() != null && type.getSuperclass() != Object.class) bases.add(type.getGenericSuperclass());
        bases.addAll(Arrays.asList(type.getGenericInterfaces()));
        if (!bases.isEmpty()) out.println("B " + bases.stream().map(MakeLibrary::text).collect(Collectors.joining(" ")));
        Set<String> above = inherited(type);
        Arrays.stream(type.getDeclaredMethods()).filter(m -> shown(m.getModifiers()) && !m.isSynthetic() && !m.isBridge())
            .map(MakeLibrary::method).filter(m -> !above.contains(m)).sorted().distinct().forEach(out::println);
        Arrays.stream(type.getDeclaredFields()).filter(f -> shown(f.getModifiers()) && !f.isSynthetic())
            .map(f -> "F " + f.getName() + "|" + text(f.getGenericType())).sorted().forEach(out::println);
        for (Class<?> inner : type.getDeclaredClasses()) if (shown(inner.getModifiers())) write(inner, out);
    }

    public static void main(String[] arguments) throws Exception {
        FileSystem files = FileSystems.getFileSystem(URI.create("jrt:/"));
        List<String> names = new ArrayList<>();
        for (String[] pair : PACKAGES) {
            try (Stream<Path> found = Files.list(files.getPath("/modules/java.base/" + pair[0].replace('.', '/')))) {
                found.map(p -> p.getFileName().toString()).filter(n -> n.endsWith(".class") && !n.contains("$"))
                    .map(n -> pair[0] + "." + n.substring(0, n.length() - 6)).forEach(names::add);
            }
        }
        Collections.sort(names);
        PrintWriter out = new PrintWriter(System.out, false, java.nio.charset.StandardCharsets.UTF_8);
        for (String[] pair : PACKAGES) out.println("P " + pair[1] + " " + pair[0]);
        for (String name : names) {
            Class<?> type = Class.forName(name, false, MakeLibrary.class.getClassLoader());
            if (Modifier.isPublic(type.getModifiers())) write(type, out);
        }
        out.flush();
    }
}
